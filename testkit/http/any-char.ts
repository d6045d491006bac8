import fc from 'fast-check'

/** Any code point, lone surrogates included. */
export const anyChar = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
