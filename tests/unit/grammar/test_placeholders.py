from tm.grammar.placeholders import Placeholder, fill_pdf_placeholders

PDFS = {"pdf-3fa1": "Invoice 7", "pdf-0001": "<PDF:pdf-3fa1>"}


def fill(args, latest=None):
    return fill_pdf_placeholders(args, PDFS.get, lambda: latest)


def test_a_key_is_replaced_inside_a_text():
    filled = fill({"text": "A <PDF:pdf-3fa1> B <PDF:pdf-3fa1>"})
    assert filled.args == {"text": "A Invoice 7 B Invoice 7"}
    assert filled.hits == (Placeholder("text", "<PDF:pdf-3fa1>", "pdf-3fa1", 9),) * 2
    assert filled.misses == ()


def test_strings_are_filled_however_deep_and_keys_are_not():
    args = {"a": [{"b": ["x", "<PDF:pdf-3fa1>"]}], "<PDF:pdf-3fa1>": 1, "n": 5, "z": None}
    filled = fill(args)
    assert filled.args == {**args, "a": [{"b": ["x", "Invoice 7"]}]}
    assert [hit.path for hit in filled.hits] == ["a.0.b.1"]


def test_the_arguments_given_stay_as_they_are():
    args = {"a": ["<PDF:pdf-3fa1>"]}
    fill(args)
    assert args == {"a": ["<PDF:pdf-3fa1>"]}


def test_what_was_put_in_is_not_searched_again():
    filled = fill({"a": "<PDF:pdf-0001>"})
    assert filled.args == {"a": "<PDF:pdf-3fa1>"}
    assert len(filled.hits) == 1


def test_pieces_do_not_join_to_a_placeholder():
    assert fill({"a": "<PDF:<PDF:pdf-3fa1>"}).args == {"a": "<PDF:Invoice 7"}


def test_a_miss_leaves_the_text_and_is_told():
    filled = fill({"a": "x <PDF:PDF-3FA1>", "b": "<PDF_CONTENT_AVAILABLE>"})
    assert filled.args == {"a": "x <PDF:PDF-3FA1>", "b": "<PDF_CONTENT_AVAILABLE>"}
    assert filled.hits == ()
    assert filled.misses == (
        Placeholder("a", "<PDF:PDF-3FA1>", "PDF-3FA1"),
        Placeholder("b", "<PDF_CONTENT_AVAILABLE>", None),
    )


def test_the_latest_pdf_is_put_in_even_if_empty():
    assert fill({"a": "[<PDF_CONTENT_AVAILABLE>]"}, latest="text").args == {"a": "[text]"}
    filled = fill({"a": "[<PDF_CONTENT_AVAILABLE>]"}, latest="")
    assert filled.args == {"a": "[]"}
    assert filled.hits[0].chars == 0


def test_backslashes_in_a_pdf_stay_as_they_are():
    filled = fill_pdf_placeholders({"a": "<PDF:k>"}, lambda _: r"\1 \g<0> \n", lambda: None)
    assert filled.args == {"a": r"\1 \g<0> \n"}


def test_other_texts_are_no_placeholders():
    args = {"a": "<PDF> <PDF:> <pdf:pdf-3fa1> {{PDF:pdf-3fa1}} <PDF_CONTENT> < PDF:pdf-3fa1>"}
    filled = fill(args)
    assert filled.args == args
    assert filled.hits == filled.misses == ()
