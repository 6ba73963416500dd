"""What a card has and a processor has not, in LLVM's language; see `card_on_cpu`."""

import re
from functools import cache

PLACES = (
    *(f"{of}.{axis}" for of in ("tid", "ctaid", "ntid", "nctaid") for axis in "xyz"), "laneid", "lanemask.lt",
)  # fmt: skip
TID, BLOCK_X, BLOCK_Y, THREADS, ACROSS, DOWN, LANE, BEFORE = (PLACES.index(name) for name in (
    "tid.x", "ctaid.x", "ctaid.y", "ntid.x", "nctaid.x", "nctaid.y", "laneid", "lanemask.lt",
))  # fmt: skip
ASKED, VALUE, OTHER, ANSWER, MINE, HOST = range(len(PLACES), len(PLACES) + 6)  # in NOW, behind PLACES
DONE, READY, BARRIER, BARRIER_OR, VOTE, MATCH, SHUFFLE = range(7)  # what a thread waits for
SLOTS = HOST + 1

PRELUDE = f"""
@card.now = external global [{SLOTS} x i64]
declare void @card.swap(ptr, i64)
define i64 @card.ask(i64 %what, i64 %value, i64 %other) noinline {{
  store i64 %what, ptr getelementptr (i64, ptr @card.now, i64 {ASKED})
  store i64 %value, ptr getelementptr (i64, ptr @card.now, i64 {VALUE})
  store i64 %other, ptr getelementptr (i64, ptr @card.now, i64 {OTHER})
  %host = load i64, ptr getelementptr (i64, ptr @card.now, i64 {HOST})
  call void @card.swap(ptr getelementptr (i64, ptr @card.now, i64 {MINE}), i64 %host)
  %answer = load i64, ptr getelementptr (i64, ptr @card.now, i64 {ANSWER})
  ret i64 %answer
}}
define void @card.barrier0() {{
  call i64 @card.ask(i64 {BARRIER}, i64 0, i64 0)
  ret void
}}
define i32 @card.barrier0.or(i32 %yes) {{
  %value = zext i32 %yes to i64
  %long = call i64 @card.ask(i64 {BARRIER_OR}, i64 %value, i64 0)
  %any = trunc i64 %long to i32
  ret i32 %any
}}
define i32 @card.activemask() {{
  %long = call i64 @card.ask(i64 {VOTE}, i64 0, i64 0)
  %mask = trunc i64 %long to i32
  ret i32 %mask
}}
define i32 @card.match.any.sync.i64(i32 %mask, i64 %value) {{
  %long = call i64 @card.ask(i64 {MATCH}, i64 %value, i64 0)
  %same = trunc i64 %long to i32
  ret i32 %same
}}
define {{i32, i1}} @card.shfl.sync.i32(i32 %mask, i32 %mode, i32 %value, i32 %lane, i32 %clamp) {{
  %own = zext i32 %value to i64
  %from = zext i32 %lane to i64
  %long = call i64 @card.ask(i64 {SHUFFLE}, i64 %own, i64 %from)
  %there = trunc i64 %long to i32
  %answer = insertvalue {{i32, i1}} {{i32 undef, i1 true}}, i32 %there, 0
  ret {{i32, i1}} %answer
}}
define i32 @__nv_ffs(i32 %of) {{
  %zeros = call i32 @llvm.cttz.i32(i32 %of, i1 false)
  %none = icmp eq i32 %of, 0
  %more = add i32 %zeros, 1
  %found = select i1 %none, i32 0, i32 %more
  ret i32 %found
}}
declare i32 @llvm.cttz.i32(i32, i1)
"""
PLACE = """
define i32 @"card.read.ptx.sreg.{name}"() {{
  %long = load i64, ptr getelementptr (i64, ptr @card.now, i64 {k})
  %short = trunc i64 %long to i32
  ret i32 %short
}}
"""
ONE = """
declare {t} @llvm.{name}.{bits}({t})
define {t} @__nv_{name}{f}({t} %a) {{
  %r = call {t} @llvm.{name}.{bits}({t} %a)
  ret {t} %r
}}
"""
TWO = """
declare {t} @llvm.{name}.{bits}({t}, {t})
define {t} @__nv_{nv}{f}({t} %a, {t} %b) {{
  %r = call {t} @llvm.{name}.{bits}({t} %a, {t} %b)
  ret {t} %r
}}
"""
OTHERS = """
define i32 @__nv_{finite}({t} %a) {{
  %d = fsub {t} %a, %a
  %y = fcmp oeq {t} %d, 0.0
  %r = zext i1 %y to i32
  ret i32 %r
}}
define {t} @card.atomic.load.add.{bits}.p0{bits}(ptr %p, {t} %a) {{
  %r = atomicrmw fadd ptr %p, {t} %a monotonic
  ret {t} %r
}}
"""
KINDS = (
    {"t": "double", "bits": "f64", "f": "", "finite": "isfinited"},
    {"t": "float", "bits": "f32", "f": "f", "finite": "finitef"},
)
PAIRS = {"fmax": "maximumnum", "fmin": "minimumnum", "copysign": "copysign"}
KEPT = ("rbp", "rbx", "r12", "r13", "r14", "r15")  # registers that a function keeps for its caller
SAVE, BACK = ("; ".join(f"{word} %{one}" for one in order) for word, order in (("pushq", KEPT), ("popq", KEPT[::-1])))
SWAP = f"""
define void @card.swap(ptr %save, i64 %next) naked noinline {{
  call void asm sideeffect "{SAVE}; movq %rsp, (%rdi); movq %rsi, %rsp; {BACK}; retq", "~{{memory}}"()
  unreachable
}}
"""
RENAMED = {
    'asm sideeffect "activemask.b32 $0;", "=r"()': "@card.activemask()",
    'asm sideeffect "mov.u32 $0, %lanemask_lt;", "=r"()': '@"card.read.ptx.sreg.lanemask.lt"()',
    "llvm.nvvm.": "card.",
    "!nvvm.annotations": "!card.annotations",  # who is a kernel is called in another way
    "immarg": "",
}


@cache
def prelude() -> str:
    """Return what the card has and the processor has not, in LLVM's language."""
    parts = [PRELUDE, *(PLACE.format(name=name, k=k) for k, name in enumerate(PLACES))]
    for kind in KINDS:
        parts += [ONE.format(name=name, **kind) for name in ("sqrt", "fabs", "floor", "sin", "cos")]
        parts += [TWO.format(nv=nv, name=name, **kind) for nv, name in PAIRS.items()]
        parts.append(OTHERS.format(**kind))
    return "\n".join(parts)


def renamed(text: str) -> str:
    for old, new in RENAMED.items():
        text = text.replace(old, new)
    asked = [f'declare i32 @"{name}"()\n' for name in ("card.activemask", "card.read.ptx.sreg.lanemask.lt")]
    return re.sub('^@"llvm.used".*$', "", text, flags=re.MULTILINE) + "".join(asked)
