# What cpack has staged, with its installer.
file(COPY ${CPACK_TEMPORARY_DIRECTORY}/ DESTINATION ${CPACK_PACKAGE_DIRECTORY}/staged)
