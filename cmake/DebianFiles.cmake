# CPack runs this before it packs the folder CPACK_TEMPORARY_INSTALL_DIRECTORY: adds the files that
# Debian's policy asks for, and compresses those that it wants compressed.

function(compress)
  execute_process(COMMAND gzip -9n ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/wayfront)
file(RENAME ${doc}/CHANGELOG.md ${doc}/NEWS.md)
file(READ ${doc}/LICENSE license)
file(REMOVE ${doc}/LICENSE)
file(WRITE ${doc}/copyright "wayfront is distributed under these terms:\n\n${license}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "wayfront (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n
  * NEWS.md.gz says what changed.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
compress(${doc}/changelog ${doc}/NEWS.md)
file(GLOB pages ${usr}/share/man/man1/*.1)
compress(${pages})
