"""Which chat a key of `tm pdf` is meant of, and errors that name what there is."""

from tm.errors import ToolError, UsageError, did_you_mean
from tm.store.pdfs import StoredPdfs

MAX_CHAT_CHARS = 200
_SHOWN = 5


def named_chat(chat: str) -> str:
    """Return the id of a chat as it was typed.

    Raises:
        UsageError: TM500, it is blank or too long to be one.
    """
    if not chat.strip() or len(chat) > MAX_CHAT_CHARS:
        raise UsageError(
            f"--chat takes the id of a chat, 1 to {MAX_CHAT_CHARS} characters, not {chat!a:.40}",
            code="TM500",
        )
    return chat


def chat_of_key(texts: StoredPdfs, tenant: str, key: str, chat: str | None) -> str:
    """Return the chat whose PDF the key names.

    Args:
        texts: of the workspace.
        tenant: whose PDFs count.
        key: as typed.
        chat: `--chat`; None: whichever chat of the tenant has the key.

    Raises:
        ToolError: TM522, there is none, with the nearest keys.
        UsageError: TM500, several chats have the key.
    """
    entries = texts.entries(tenant, chat)
    chats = [entry.chat_id for entry in entries if entry.key == key]
    if len(chats) > 1:
        raise UsageError(
            f"{key!a} is a key of {len(chats)} chats: {', '.join(sorted(chats)[:_SHOWN])}",
            code="TM500",
            hint="say which with --chat",
        )
    if chats:
        return chats[0]
    where = f"chat {chat!a:.80}" if chat is not None else f"tenant '{tenant}'"
    near = did_you_mean(key, sorted({entry.key for entry in entries}))
    raise ToolError(
        f"{where} has no PDF with the key {key!a:.80}{near}",
        code="TM522",
        hint="tm pdf list shows what there is",
    )
