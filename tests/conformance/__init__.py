"""Black-box cases of the contract, one YAML file each; `runner` says what a file may hold."""
