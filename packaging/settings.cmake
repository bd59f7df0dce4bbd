# The settings file of an installation: the commented default with the paths the installation uses.
#   cmake -D FROM=… -D TO=… -D DATABASE=… -D KEYS_FILE=… -P settings.cmake
file(READ "${FROM}" text)

function(set_to line replacement)
  string(FIND "${text}" "\n${line}\n" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${FROM} has no line '${line}': packaging/settings.cmake has to follow it")
  endif()
  string(REPLACE "\n${line}\n" "\n${replacement}\n" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

set_to([[url = "sqlite:sluice.db"]] "url = \"${DATABASE}\"")
set_to([[keys_file = ""]] "keys_file = \"${KEYS_FILE}\"")
file(WRITE "${TO}" "${text}")
