import { parentPort } from 'node:worker_threads'
import { createH264MP4Encoder } from 'h264-mp4-encoder'
import type { Clip } from './clip-maker.ts'
import { drawFrame, patternOf } from './pattern.ts'

/** Few frames, because the encoder needs about 50 ms for each. */
const framesPerSecond = 8
const port = parentPort!

port.on('message', async (clip: Clip) => {
  const bytes = await encode(clip)
  port.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})

async function encode({ prompt, seconds, size }: Clip): Promise<Uint8Array> {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const encoder = await createH264MP4Encoder()
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
