"""The linter: rules over the files of a workspace. Runs no tenant code, opens no connection."""
