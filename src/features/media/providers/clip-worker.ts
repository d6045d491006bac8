import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import h264 from 'h264-mp4-encoder'
import type { Clip } from './local.ts'

/** A mosaic, half of it mirrored, in two colours: the same prompt always looks the same. */
interface Pattern {
  readonly cells: readonly boolean[]
  readonly dark: Colour
  readonly light: Colour
}

type Colour = readonly [red: number, green: number, blue: number]

const columns = 8
const rows = 9

function patternOf(prompt: string): Pattern {
  const bytes = hash('sha256', prompt, 'buffer')
  const dark: Colour = [bytes[0]! >> 2, bytes[1]! >> 2, bytes[2]! >> 1]
  const light: Colour = [255 - (bytes[3]! >> 2), 255 - (bytes[4]! >> 2), 255 - (bytes[5]! >> 2)]
  const bit = (index: number) => ((bytes[6 + (index >> 3)]! >> (index & 7)) & 1) === 1
  return { cells: Array.from({ length: columns * rows }, (_, index) => bit(index)), dark, light }
}

/** Draws one frame as RGBA: the mosaic scrolls, and a bar along the bottom shows how much of the clip has passed. */
function drawFrame(
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

// A CommonJS module whose exports Node cannot see by name.

/** Few frames, because the encoder needs about 50 ms for each. */
const framesPerSecond = 8
const port = parentPort!

port.on('message', async (clip: Clip) => {
  const bytes = await encode(clip)
  port.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})

async function encode({ prompt, seconds, size }: Clip): Promise<Uint8Array> {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const encoder = await h264.createH264MP4Encoder()
  try {
    Object.assign(encoder, { width, height, frameRate: framesPerSecond, quantizationParameter: 30, speed: 10 })
    encoder.initialize()
    const pattern = patternOf(prompt)
    const frame = new Uint8Array(width * height * 4)
    const frames = seconds * framesPerSecond
    for (let index = 0; index < frames; index += 1) {
      drawFrame(frame, { width, height, progress: index / frames }, pattern)
      encoder.addFrameRgba(frame)
    }
    encoder.finalize()
    return Uint8Array.from(encoder.FS.readFile(encoder.outputFilename))
  } finally {
    encoder.delete()
  }
}
