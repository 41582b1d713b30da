# coding: utf-8
settings = {"vars": {"gate": "Tür 4"}}
