# Writes the pages that `PROGRAM manual` lists to FOLDER.

set(ENV{ASAN_OPTIONS} detect_leaks=0)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} manual OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" pages "${pages}")
foreach(page IN LISTS pages)
  execute_process(COMMAND ${PROGRAM} manual ${page} OUTPUT_FILE ${FOLDER}/${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
