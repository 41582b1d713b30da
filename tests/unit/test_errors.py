from tm.errors import join_path


def test_keys_with_dots_blanks_and_quotes_are_quoted_in_paths():
    steps = ["lines", 0, "order-id", "a.b", "", "c d", 'e"f', "g\\h", "*", "i\nj"]
    quoted = '"a.b".""."c d"."e\\"f"."g\\\\h"."*"."i\\u000aj"'
    assert join_path(steps) == f"lines.0.order-id.{quoted}"


def test_the_whole_has_no_path():
    assert join_path([]) == ""
