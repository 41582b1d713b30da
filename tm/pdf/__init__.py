"""Text of PDF files: read by a process of its own, then cleaned.

What lives here: from bytes to text. What must not: where the text is kept.
"""
