"""Bit operations of the kernels, as LLVM intrinsics, with portable forms chosen at import.

All take and return ``uint64``. ``pdep`` and ``pext`` need x86-64 with BMI2; elsewhere, with ``SIMCORE_PORTABLE=1``, or
with the JIT switched off, the plain forms below serve: same results, slower.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.extending import intrinsic

from simcore._jit import JIT_DISABLED, inlined, kernel

U = np.uint64
I = np.int64
U0, U1, U4 = U(0), U(1), U(4)
ALL_ONES = U(2**64 - 1)

HAS_BMI2 = bool(llvm.get_host_cpu_features().get("bmi2", False))
PORTABLE = JIT_DISABLED or not HAS_BMI2 or os.environ.get("SIMCORE_PORTABLE", "") not in ("", "0")

_I64 = ir.IntType(64)
_I128 = ir.IntType(128)


def _llvm_call(name: str) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function_type = ir.FunctionType(_I64, [_I64, _I64])
        return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), args)

    return codegen


# ---------------------------------------------------------------------------------------------------- portable forms


@kernel
def _pdep_plain(source, mask):
    """Deposit the low bits of source at the set bits of mask, bit by bit."""
    result = U0
    rest = mask
    bit = U1
    while rest != U0:
        lowest_bit = rest & (~rest + U1)
        if source & bit != U0:
            result |= lowest_bit
        rest ^= lowest_bit
        bit <<= U1
    return result


@kernel
def _pext_plain(source, mask):
    """Collect the bits of source at the set bits of mask into the low bits, bit by bit."""
    result = U0
    rest = mask
    bit = U1
    while rest != U0:
        lowest_bit = rest & (~rest + U1)
        if source & lowest_bit != U0:
            result |= bit
        rest ^= lowest_bit
        bit <<= U1
    return result


def _popcount_python(x):
    return U(int(x).bit_count())


def _ctz_python(x):
    value = int(x)
    return U((value & -value).bit_length() - 1) if value else U(64)


def _clz_python(x):
    return U(64 - int(x).bit_length())


@kernel
def _permute_lanes_plain(x, control):
    """Move the four lanes of sixteen bits, one by one."""
    result = U0
    for lane in range(4):
        source = (control >> U(16 * lane + 1)) & U(3)
        result |= ((x >> (source << U4)) & U(0xFFFF)) << U(16 * lane)
    return result


def _mulhi_python(a, b):
    return U((int(a) * int(b)) >> 64)


def _select_python(condition, a, b):
    return a if condition else b


def _load_python(bits: int) -> Any:
    word = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}[bits]

    def load(address, index):
        return U(word.from_address(int(address) + bits // 8 * int(index)).value)

    return load


def _store_python(bits: int) -> Any:
    word = {8: ctypes.c_uint8, 64: ctypes.c_uint64}[bits]

    def store(address, index, value):
        word.from_address(int(address) + bits // 8 * int(index)).value = int(value)

    return store


# ------------------------------------------------------------------------------------------------------- intrinsics


@intrinsic
def _pdep_bmi2(typing_context, source, mask):
    return types.uint64(types.uint64, types.uint64), _llvm_call("llvm.x86.bmi.pdep.64")


@intrinsic
def _pext_bmi2(typing_context, source, mask):
    return types.uint64(types.uint64, types.uint64), _llvm_call("llvm.x86.bmi.pext.64")


@intrinsic
def _popcount_llvm(typing_context, x):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _ctz_llvm(typing_context, x):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _clz_llvm(typing_context, x):
    def codegen(context, builder, signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _mulhi_llvm(typing_context, a, b):
    def codegen(context, builder, signature, args):
        product = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        return builder.trunc(builder.lshr(product, ir.Constant(_I128, 64)), _I64)

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def _select_llvm(typing_context, condition, a, b):
    def codegen(context, builder, signature, args):
        return builder.select(builder.trunc(args[0], ir.IntType(1)), args[1], args[2])

    return types.uint64(types.boolean, types.uint64, types.uint64), codegen


@intrinsic
def _unlikely_llvm(typing_context, condition):
    def codegen(context, builder, signature, args):
        bit = ir.IntType(1)
        expect = cgutils.get_or_insert_function(builder.module, ir.FunctionType(bit, [bit, bit]), "llvm.expect.i1")
        value = builder.call(expect, [builder.trunc(args[0], bit), ir.Constant(bit, 0)])
        return builder.zext(value, ir.IntType(8)) if args[0].type != bit else value

    return types.boolean(types.boolean), codegen


@intrinsic
def _call_llvm(typing_context, address, words, row, offset):
    def codegen(context, builder, signature, args):
        address, words, row, offset = args
        word_pointer = _I64.as_pointer()
        data = context.make_array(signature.args[1])(context, builder, words)
        width = builder.extract_value(data.shape, 1)
        first = builder.gep(builder.bitcast(data.data, word_pointer), [builder.mul(row, width)])
        function_type = ir.FunctionType(_I64, [word_pointer, word_pointer])
        function = builder.inttoptr(address, function_type.as_pointer())
        return builder.call(function, [first, builder.gep(first, [offset])])

    return types.uint64(types.int64, words, types.uint64, types.int64), codegen


def _call_python(address, words, row, offset):
    raise NotImplementedError("compiled bots need the JIT")


@intrinsic
def _permute_lanes_ssse3(typing_context, x, control):
    def codegen(context, builder, signature, args):
        words, octets = ir.VectorType(_I64, 2), ir.VectorType(ir.IntType(8), 16)
        none, first = ir.Constant(words, [0, 0]), ir.Constant(ir.IntType(32), 0)
        x, control = (builder.bitcast(builder.insert_element(none, word, first), octets) for word in args)
        function_type = ir.FunctionType(octets, [octets, octets])
        shuffle = cgutils.get_or_insert_function(builder.module, function_type, "llvm.x86.ssse3.pshuf.b.128")
        return builder.extract_element(builder.bitcast(builder.call(shuffle, [x, control]), words), first)

    return types.uint64(types.uint64, types.uint64), codegen


def _load_llvm(bits: int) -> Any:
    @intrinsic
    def load(typing_context, address, index):
        def codegen(context, builder, signature, args):
            word = ir.IntType(bits)
            value = builder.load(builder.gep(builder.inttoptr(args[0], word.as_pointer()), [args[1]]))
            return value if bits == 64 else builder.zext(value, _I64)

        return types.uint64(types.uint64, types.uint64), codegen

    return load


def _store_llvm(bits: int) -> Any:
    @intrinsic
    def store(typing_context, address, index, value):
        def codegen(context, builder, signature, args):
            word = ir.IntType(bits)
            value = args[2] if bits == 64 else builder.trunc(args[2], word)
            builder.store(value, builder.gep(builder.inttoptr(args[0], word.as_pointer()), [args[1]]))
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64, types.uint64), codegen

    return store


# ------------------------------------------------------------------------------------------------------ public names

pdep = _pdep_plain if PORTABLE else _pdep_bmi2
"""``pdep(source, mask)``: the low bits of source, moved to the set bits of mask."""
pext = _pext_plain if PORTABLE else _pext_bmi2
"""``pext(source, mask)``: the bits of source at the set bits of mask, moved to the low end."""
popcount = _popcount_python if JIT_DISABLED else _popcount_llvm
"""``popcount(x)``: number of set bits."""
ctz = _ctz_python if JIT_DISABLED else _ctz_llvm
"""``ctz(x)``: trailing zeros; 64 for 0."""
clz = _clz_python if JIT_DISABLED else _clz_llvm
"""``clz(x)``: leading zeros; 64 for 0."""
mulhi = _mulhi_python if JIT_DISABLED else _mulhi_llvm
"""``mulhi(a, b)``: high 64 bits of the 128-bit product."""
select = _select_python if JIT_DISABLED else _select_llvm
"""``select(condition, a, b)``: ``a if condition else b`` without a branch; all three are evaluated."""
unlikely = bool if JIT_DISABLED else _unlikely_llvm
"""``unlikely(condition)``: the condition, with a hint that it rarely holds, so that a rare rule stays off the main line."""

permute_lanes = _permute_lanes_plain if PORTABLE else _permute_lanes_ssse3
"""``permute_lanes(x, control)``: the four lanes of sixteen bits in another order; byte i of the result is byte control[i] of x,
where control[i] is byte i of the control word."""
load8, load16, load32, load64 = (_load_python(b) if JIT_DISABLED else _load_llvm(b) for b in (8, 16, 32, 64))
"""``load8(address, index)``: word number `index` (of 8, 16, 32, 64 bits) of the memory at an address. For tables that a
recursion carries along: an address is one register, an array is seven."""
store8, store64 = (_store_python(b) if JIT_DISABLED else _store_llvm(b) for b in (8, 64))
"""``store8(address, index, value)``: the same, writing."""

call = _call_python if JIT_DISABLED else _call_llvm
"""``call(address, words, row, offset)``: call a C function with pointers to a row of words and to its word `offset`."""


array_at = carray
"""``array_at(pointer, n, dtype)``: the array that a pointer of an `entry` kernel points at."""


@inlined
def lowest(x):
    """Lowest set bit of x, as a mask; 0 for 0."""
    return x & (~x + U1)


@inlined
def nth_bit(mask, n):
    """The set bit number n (from 0, from below) of mask, as a mask. Assumes n < popcount(mask)."""
    return pdep(U1 << n, mask)
