"""Tools from other systems' documents, and definitions for other systems."""
