# Builds the operator page: cmake -DNODE= -DNPM= -DSOURCES= -DFOLDER= -DWITHOUT= -P build_page.cmake
# Its packages are installed once. Where they cannot be had, as on a machine that reaches nothing, the file WITHOUT takes
# the page's place, and the next build tries again.
set(installed "${FOLDER}/installed")
file(SHA256 "${SOURCES}/package.json" wanted)
set(there "")
if(EXISTS "${installed}")
  file(READ "${installed}" there)
endif()
if(NOT there STREQUAL wanted)
  file(COPY "${SOURCES}/package.json" DESTINATION "${FOLDER}")
  foreach(try RANGE 1 2)
    execute_process(COMMAND "${NPM}" install --prefix "${FOLDER}" --no-package-lock --no-audit --no-fund --ignore-scripts
                            --loglevel=error
                    WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed)
    if(NOT failed)
      break()
    endif()
  endforeach()
  if(failed)
    message(WARNING "What the operator page is built with could not be installed: the program is built without it.")
    configure_file("${WITHOUT}" "${FOLDER}/page_files.cpp" COPYONLY)
    return()
  endif()
  file(WRITE "${installed}" "${wanted}")
endif()

file(REMOVE_RECURSE "${FOLDER}/sources" "${FOLDER}/dist")
file(COPY "${SOURCES}/" DESTINATION "${FOLDER}/sources") # a copy, so that modules are found beside it
execute_process(COMMAND "${NODE}" "${FOLDER}/node_modules/vite/bin/vite.js" build --logLevel warn
                WORKING_DIRECTORY "${FOLDER}/sources" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NODE}" "${FOLDER}/sources/embed.mjs" "${FOLDER}/dist" "${FOLDER}/page_files.cpp"
                COMMAND_ERROR_IS_FATAL ANY)
