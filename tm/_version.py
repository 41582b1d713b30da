"""The version of tm, alone in a file so that `tm --version` loads nothing else."""

__version__ = "0.1.0"
