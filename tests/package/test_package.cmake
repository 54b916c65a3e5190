# Installs the build in BUILD_DIR to WORK_DIR/prefix, then configures, builds and runs the project in CONSUMER_DIR against it, on a file of DATA_DIR.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " text)
    message(FATAL_ERROR "failed (${status}): ${text}")
  endif()
endfunction()

if(NOT EXISTS ${DATA_DIR}/gnutella.txt.zst)
  message(FATAL_ERROR "no compressed file to read: ${DATA_DIR}/gnutella.txt.zst")
endif()
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER_DIR} -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
run(${WORK_DIR}/build/consumer ${DATA_DIR}/gnutella.txt.zst)
run(${WORK_DIR}/prefix/bin/wayfront --version)
