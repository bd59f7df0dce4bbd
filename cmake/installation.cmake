# What an installation consists of, and the Debian package made of it (scripts/package). Papers are printed by the
# program itself, so that they cannot tell of another one.
include(GNUInstallDirs)

set(SLUICE_CONFIG_DIRECTORY "${CMAKE_INSTALL_FULL_SYSCONFDIR}/sluice")
set(SLUICE_CONFIG_FILE "${SLUICE_CONFIG_DIRECTORY}/sluice.toml")
set(SLUICE_KEYS_FILE "${SLUICE_CONFIG_DIRECTORY}/keys")
set(SLUICE_STATE_DIRECTORY "${CMAKE_INSTALL_FULL_LOCALSTATEDIR}/lib/sluice")
set(made "${PROJECT_BINARY_DIR}/installation")
set(source "${PROJECT_SOURCE_DIR}/packaging")

foreach(script postinst postrm)
  configure_file("${source}/${script}.in" "${made}/${script}" @ONLY FILE_PERMISSIONS
                 OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
configure_file("${source}/sluice.service.in" "${made}/sluice.service" @ONLY)
file(WRITE "${made}/conffiles" "${SLUICE_CONFIG_FILE}\n")

# sluice_paper(NAME COMMAND …): the command's output as a file.
set(papers)
function(sluice_paper name)
  cmake_parse_arguments(arg "" "DEPENDS" "COMMAND" ${ARGN})
  add_custom_command(OUTPUT "${made}/${name}" COMMAND ${arg_COMMAND} > "${made}/${name}.new"
                     COMMAND ${CMAKE_COMMAND} -E rename "${made}/${name}.new" "${made}/${name}"
                     DEPENDS "${arg_DEPENDS}" VERBATIM)
  set(papers ${papers} "${made}/${name}" PARENT_SCOPE)
endfunction()
sluice_paper(sluice.1 COMMAND sluice man DEPENDS sluice)
sluice_paper(sluice.1.gz COMMAND gzip -9nc "${made}/sluice.1" DEPENDS "${made}/sluice.1")
sluice_paper(sluice.bash COMMAND sluice completion bash DEPENDS sluice)
sluice_paper(_sluice COMMAND sluice completion zsh DEPENDS sluice)
sluice_paper(changelog.gz COMMAND gzip -9nc "${source}/changelog" DEPENDS "${source}/changelog")
add_custom_command(OUTPUT "${made}/sluice.toml"
                   COMMAND ${CMAKE_COMMAND} -D "FROM=${PROJECT_SOURCE_DIR}/config/sluice.toml" -D "TO=${made}/sluice.toml"
                           -D "DATABASE=sqlite:${SLUICE_STATE_DIRECTORY}/sluice.db" -D "KEYS_FILE=${SLUICE_KEYS_FILE}"
                           -P "${source}/settings.cmake"
                   DEPENDS "${PROJECT_SOURCE_DIR}/config/sluice.toml" "${source}/settings.cmake" VERBATIM)
add_custom_target(sluice_papers ALL DEPENDS ${papers} "${made}/sluice.toml")

# The installed program finds the installed settings by itself; the one that is being developed reads none unasked.
target_compile_definitions(sluice PRIVATE "SLUICE_CONFIG_FILE=\"\"")
add_executable(sluice_installed app/main.cpp)
target_link_libraries(sluice_installed PRIVATE sluice_app CLI11::CLI11)
target_compile_definitions(sluice_installed PRIVATE "SLUICE_CONFIG_FILE=\"${SLUICE_CONFIG_FILE}\"")
target_link_options(sluice_installed PRIVATE -Wl,-z,relro,-z,now)
set_target_properties(sluice_installed PROPERTIES OUTPUT_NAME sluice RUNTIME_OUTPUT_DIRECTORY "${made}")
sluice_own_code(sluice_installed)

install(TARGETS sluice_installed)
install(DIRECTORY presets DESTINATION "${CMAKE_INSTALL_DATADIR}/sluice")
install(FILES "${made}/sluice.toml" DESTINATION "${SLUICE_CONFIG_DIRECTORY}")
install(FILES "${made}/sluice.service" DESTINATION lib/systemd/system)
install(FILES "${made}/sluice.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${made}/sluice.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME sluice)
install(FILES "${made}/_sluice" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${source}/copyright" "${made}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/sluice")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VENDOR "The authors of Sluice")
set(CPACK_PACKAGE_CONTACT "The authors of Sluice <sluice@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "delivers records, events and notifications to other systems")
set(CPACK_PACKAGE_DESCRIPTION "Sluice moves changes out of a database into other people's systems, and can always say
what happened to each one: first load, changes, rate limits, retries, lost replies, restarts.")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_FILE_NAME sluice)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "adduser, ca-certificates, init-system-helpers")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "postgresql (>= 15), bash-completion")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${made}/postinst;${source}/prerm;${made}/postrm;${made}/conffiles")
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON) # the settings and the unit stand at absolute places
set(CPACK_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
include(CPack)
