import { mkdirSync, writeFileSync } from 'node:fs'
import h264 from 'h264-mp4-encoder'
import { clipSeconds, clipSizes } from '../src/contract/choices.ts'

/**
 * Writes the test clips of the local media provider, one for each size and length: `node build/generate-clips.ts`. They are
 * committed, so that no installation needs the encoder.
 */
const folder = new URL('../src/features/calls/media/providers/clips/', import.meta.url)
const framesPerSecond = 8
const [columns, rows] = [8, 9]
const [dark, light] = [
  [24, 58, 55],
  [232, 226, 206],
]

/** A mosaic that scrolls, and a bar along the bottom that shows how much of the clip has passed. */
function drawFrame(frame: Uint8Array, width: number, height: number, progress: number): void {
  const cell = Math.ceil(width / (columns * 2))
  const shift = Math.round(progress * rows * cell)
  const bar = height - Math.ceil(height / 30)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y + shift) / cell) % rows
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor((x < width / 2 ? x : width - 1 - x) / cell)
      const isLight = y >= bar ? x < progress * width : (row * 5 + column * 3 + row * column) % 7 < 3
      frame.set([...(isLight ? light : dark)!, 255], (y * width + x) * 4)
    }
  }
}

mkdirSync(folder, { recursive: true })
for (const size of clipSizes) {
  const [width = 0, height = 0] = size.split('x').map(Number)
  for (const seconds of clipSeconds) {
    const encoder = await h264.createH264MP4Encoder()
    Object.assign(encoder, { width, height, frameRate: framesPerSecond, quantizationParameter: 36, speed: 0 })
    encoder.initialize()
    const frame = new Uint8Array(width * height * 4)
    const frames = seconds * framesPerSecond
    for (let index = 0; index < frames; index += 1) {
      drawFrame(frame, width, height, index / frames)
      encoder.addFrameRgba(frame)
    }
    encoder.finalize()
    writeFileSync(new URL(`${size}-${seconds}.mp4`, folder), encoder.FS.readFile(encoder.outputFilename))
    encoder.delete()
  }
}
