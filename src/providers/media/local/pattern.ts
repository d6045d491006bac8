import { hash } from 'node:crypto'

/** A mosaic, half of it mirrored, in two colours: the same prompt always looks the same. */
export interface Pattern {
  readonly cells: readonly boolean[]
  readonly dark: Colour
  readonly light: Colour
}

type Colour = readonly [red: number, green: number, blue: number]

const columns = 8
const rows = 9

export function patternOf(prompt: string): Pattern {
  const bytes = hash('sha256', prompt, 'buffer')
  const dark: Colour = [bytes[0]! >> 2, bytes[1]! >> 2, bytes[2]! >> 1]
  const light: Colour = [255 - (bytes[3]! >> 2), 255 - (bytes[4]! >> 2), 255 - (bytes[5]! >> 2)]
  const bit = (index: number) => ((bytes[6 + (index >> 3)]! >> (index & 7)) & 1) === 1
  return { cells: Array.from({ length: columns * rows }, (_, index) => bit(index)), dark, light }
}

/** Draws one frame as RGBA: the mosaic scrolls, and a bar along the bottom shows how much of the clip has passed. */
export function drawFrame(
  frame: Uint8Array,
  { width, height, progress }: { width: number; height: number; progress: number },
  { cells, dark, light }: Pattern,
): void {
  const cell = Math.ceil(width / (columns * 2))
  const shift = Math.round(progress * rows * cell)
  const bar = height - Math.ceil(height / 30)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y + shift) / cell) % rows
    for (let x = 0; x < width; x += 1) {
      const mirrored = x < width / 2 ? x : width - 1 - x
      const isLight = y >= bar ? x < progress * width : cells[row * columns + Math.floor(mirrored / cell)]
      const [red, green, blue] = isLight ? light : dark
      const at = (y * width + x) * 4
      frame[at] = red
      frame[at + 1] = green
      frame[at + 2] = blue
      frame[at + 3] = 255
    }
  }
}
