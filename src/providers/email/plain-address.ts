/** A bare `local@domain` without spaces, quotes or control characters: nothing that could add a header or a recipient. */
export const isPlainAddress = (text: string): boolean => text.length <= 254 && plainAddress.test(text)

const plainAddress = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()[\]\\,;:"@\p{Cc}]+$/u
