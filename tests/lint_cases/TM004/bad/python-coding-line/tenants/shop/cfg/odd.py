# -*- coding: latin-1 -*-
settings = {"vars": {"gate": "Tor"}}
