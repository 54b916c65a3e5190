# Installs the build in BUILD_DIR to WORK_DIR/prefix, makes a project of the example in PAGE
# (docs/library.md), builds it against the installed package and compares its output with the page.
# The page's other programs are built, too, and the one for several ranks is run. Then the example
# is run on a compressed file of DATA_DIR, which needs the libraries that the package brings, and on
# a missing file.

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " text)
    message(FATAL_ERROR "failed (${status}): ${text}")
  endif()
endfunction()

# expect(STATUS OUTPUT COMMAND...): the exit code, and a regular expression for the standard output.
function(expect status output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE found_status OUTPUT_VARIABLE found ERROR_VARIABLE errors)
  if(NOT found_status EQUAL status OR NOT found MATCHES "^${output}$")
    list(JOIN ARGN " " text)
    message(FATAL_ERROR "${text}: expected exit code ${status} and '${output}', found ${found_status} and '${found}' (${errors})")
  endif()
endfunction()

# The next block of the page in this language; the page continues behind it.
function(page_block language variable)
  string(FIND "${page}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${PAGE} has no block of ${language}")
  endif()
  string(LENGTH "```${language}\n" fence)
  math(EXPR begin "${begin} + ${fence}")
  string(SUBSTRING "${page}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${variable} "${text}" PARENT_SCOPE)
  string(FIND "${page}" "${text}" begin)
  string(SUBSTRING "${page}" ${begin} -1 rest)
  set(page "${rest}" PARENT_SCOPE)
endfunction()

if(NOT EXISTS ${DATA_DIR}/gnutella.txt.zst)
  message(FATAL_ERROR "no compressed file to read: ${DATA_DIR}/gnutella.txt.zst")
endif()
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)

file(READ ${PAGE} page)
page_block(cmake lists)
page_block(cpp program)
page_block(text output)
page_block(cpp function)
page_block(cpp shortest)
page_block(cpp over_ranks)
file(WRITE ${WORK_DIR}/hops/CMakeLists.txt "${lists}
target_sources(hops PRIVATE function.cpp shortest.cpp)
add_executable(over_ranks over_ranks.cpp)
target_link_libraries(over_ranks PRIVATE wayfront::wayfront MPI::MPI_CXX)
")
file(WRITE ${WORK_DIR}/hops/function.cpp "${function}")
file(WRITE ${WORK_DIR}/hops/shortest.cpp "${shortest}")
file(WRITE ${WORK_DIR}/hops/over_ranks.cpp "${over_ranks}")
file(WRITE ${WORK_DIR}/hops/hops.cpp "${program}")
run(${CMAKE_COMMAND} -S ${WORK_DIR}/hops -B ${WORK_DIR}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)

set(hops ${WORK_DIR}/build/hops)
expect(0 "${output}" ${hops} path:6 1 4)
expect(0 "[0-9]+ vertices reached, depth [0-9]+\n[0-9 ]+\n" ${hops} ${DATA_DIR}/gnutella.txt.zst 0 1)
expect(2 "" ${hops} ${DATA_DIR}/missing.txt 0 1)
expect(0 "(rank [01] of 2 owns 2048 vertices\n|[0-9]+ were reached\n)+" ${MPIEXEC} -n 2 ${WORK_DIR}/build/over_ranks)
run(${WORK_DIR}/prefix/bin/wayfront --version)

# Nothing of the inside is installed.
file(GLOB_RECURSE headers RELATIVE ${WORK_DIR}/prefix/include ${WORK_DIR}/prefix/include/*)
list(SORT headers)
if(NOT headers STREQUAL "wayfront/base/error.hpp;wayfront/wayfront.hpp")
  message(FATAL_ERROR "installed headers: ${headers}")
endif()
