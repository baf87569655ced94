"""Display names: which may be had, which are refused and why, and which two are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.core.names import BadName, clean_name, guest_name, skeleton


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "Ann Lee",
        "a-1_b",
        "123",
        "x" * 20,
        "José",
        "Zoë",
        "Straße",
        "Søren",
        "Анна",
        "Ελένη",
        "עברית",
        "علي",
        "हिन्दी",  # vowel signs and a virama
        "ไทยนี้",  # a vowel and a tone on one letter
        "さくら",
        "サッカー部",  # Japanese is written in three scripts
        "한국어",
        "小明同学",
        "Scunthorpe",
        "Dickens",
        "Essex",
        "Cockburn",
        "Sussex Tom",
        "Assam",
        "Class 455",
    ],
)
def test_a_good_name_is_kept_as_it_is(name: str) -> None:
    assert name == clean_name(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ａｎｎ", "Ann"),
        ("Jose\u0301", "José"),
        ("\ufb01sh", "fish"),
        ("  Ann  Lee ", "Ann Lee"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("\u3000Ann", "Ann"),
        ("ann\u00b2", "ann2"),
        ("\u2167x", "VIIIx"),
    ],
)
def test_a_name_is_normalised_and_its_blanks_are_tidied(text: str, name: str) -> None:
    assert name == clean_name(text)


@pytest.mark.parametrize("text", ["", "   ", "ab", " ab ", "x" * 21, "\u2167" * 6, "a\u0301b"])
def test_fewer_than_3_or_more_than_20_code_points_are_refused(text: str) -> None:
    with pytest.raises(BadName) as caught:
        clean_name(text)
    assert caught.value.code == "name_length"


@pytest.mark.parametrize(
    "text",
    [
        "<b>Ann</b>",
        "ann.lee",
        "ann@home",
        "Ann\tLee",
        "Ann\nLee",
        "Ann!",
        "Anп",  # two scripts
        "Αnna",  # Greek capital alpha
        "Ann한",
        "___",
        "- -",
        "a\u200db c",  # joiner
        "ann\u202e",  # turns the writing around
        "\u3164\u3164\u3164",  # Hangul filler: letters that show nothing
        "Z\u0337a\u0337l",  # marks piled on letters
        "\u0301ann",
        "٣٣٣",
        "😀😀😀",
        "ann\x00",
        "ann\ud800",
    ],
)
def test_anything_but_letters_of_one_script_digits_blanks_and_two_dashes_is_refused(text: str) -> None:
    with pytest.raises(BadName) as caught:
        clean_name(text)
    assert caught.value.code == "name_letters"


@pytest.mark.parametrize(
    "text", ["Dick", "big_dick", "Dick-99", "D1ck", "5hit", "SHlT", "f u c k", "ＦＵＣＫ", "fück you"]
)
def test_crude_words_are_refused_also_in_disguise(text: str) -> None:
    with pytest.raises(BadName) as caught:
        clean_name(text)
    assert caught.value.code == "name_crude"


def test_a_crude_word_in_letters_of_another_script_is_refused() -> None:
    with pytest.raises(BadName) as caught:
        clean_name("\u0455\u04bb\u0456\u0442")  # sh, i and t from the Cyrillic alphabet
    assert caught.value.code == "name_crude"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "aNNA"),
        ("paypal", "PayPaI"),
        ("Olga", "0lga"),
        ("Lily", "1ily"),
        ("modern", "modem"),
        ("Coco", "\u0421\u043e\u0441\u043e"),  # Cyrillic
        ("HAT", "\u041d\u0410\u0422"),
        ("\u041d\u0410\u0422", "\u043d\u0430\u0442"),
        ("Niko", "Nik0"),
        ("Straße", "STRASSE"),
        ("José", "JOSE\u0301"),
        ("ΝΙΚΟΣ", "νικος"),
        ("İrem", "i\u0307rem"),
    ],
)
def test_names_that_differ_in_case_or_look_alikes_are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Anne"), ("Ivan", "Inan"), ("José", "Jose"), ("Ann Lee", "Ann-Lee"), ("Vick", "Nick"), ("Анна", "Анни")],
)
def test_names_that_can_be_told_apart_are_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F, categories=["Lu", "Ll"]), max_size=12))
def test_case_never_makes_a_new_name(name: str) -> None:
    assert skeleton(name) == skeleton(name.casefold())


@given(st.text(max_size=30))
def test_a_name_that_was_taken_is_taken_again_unchanged(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert name == clean_name(name)


def test_a_guest_has_a_number_that_hangs_on_the_seed_alone() -> None:
    names = {guest_name(bytes([n])) for n in range(200)}
    assert guest_name(b"x") == guest_name(b"x")
    assert len(names) > 190
    assert all(clean_name(name) == name and 1000 <= int(name.removeprefix("Guest ")) <= 9999 for name in names)
