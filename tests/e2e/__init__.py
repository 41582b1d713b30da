"""The real `tm` command against real servers on loopback."""
