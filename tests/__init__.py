"""The tests of tm; `python -m tests` runs every check of the project in order."""
