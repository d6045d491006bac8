import { describe, expect, it } from 'vitest'
import { clipSeconds, clipSizes } from '../../../../src/contract/choices.ts'
import { createClipLength, isShort } from '../../../../src/features/calls/media/clip-length.ts'
import { localClip } from '../../../../src/features/calls/media/providers/local.ts'
import { box, ftyp, mvhd } from '../../../../testkit/providers/clips.ts'

function lengthOf(clip: Uint8Array, chunkBytes = clip.length): number | null {
  const length = createClipLength()
  for (let at = 0; at < clip.length; at += chunkBytes) length.read(clip.subarray(at, at + chunkBytes))
  return length.seconds()
}

/** Width and height are the last two numbers of the track's header, with 16 bits behind the point. */
function sizeOf(clip: Buffer): string {
  const at = clip.indexOf('tkhd') - 4
  const end = at + clip.readUInt32BE(at)
  return `${clip.readUInt16BE(end - 8)}x${clip.readUInt16BE(end - 4)}`
}

const frames = box('mdat', Buffer.alloc(500, 7))
const track = box('trak', box('mvhd', mvhd(100, 9900)))
const long = (values: [at: number, value: bigint][]) => {
  const body = Buffer.alloc(112)
  body[0] = 1
  for (const [at, value] of values) body.writeBigUInt64BE(value, at)
  return body
}
const mvhdLong = (scale: bigint, duration: bigint) =>
  long([
    [16, scale],
    [24, duration],
  ])
const mehd = (duration: number) => {
  const body = Buffer.alloc(8)
  body.writeUInt32BE(duration, 4)
  return box('mehd', body)
}
const moov = (...boxes: Buffer[]) => box('moov', ...boxes)
const header = (size: number, type: string) => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(size)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const largeMdat = (size: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(size)
  return Buffer.concat([header(1, 'mdat'), bytes, Buffer.alloc(84)])
}
const movie = moov(box('mvhd', mvhd(100, 400)))
const unmeasured = box('mvhd', mvhd(100, 0))

describe('the length of a clip', () => {
  const measured: [name: string, boxes: Buffer[], seconds: number][] = [
    ['with its header in front', [ftyp, movie, frames], 4],
    ['with its header at the end', [ftyp, box('free'), frames, movie], 4],
    ['with its header behind its tracks', [ftyp, frames, moov(track, box('mvhd', mvhd(90_000, 180_000)))], 2],
    ['with 64-bit times', [ftyp, moov(box('mvhd', mvhdLong(1000n, 8000n)))], 8],
    ['with a 64-bit size', [ftyp, largeMdat(100n), movie], 4],
    ['with a header that reaches to the end of the file', [ftyp, header(0, 'moov'), box('mvhd', mvhd(100, 400))], 4],
    ['in fragments', [ftyp, moov(unmeasured, track, box('mvex', mehd(800), box('trex'))), box('moof'), frames], 8],
    ['in fragments, 64-bit', [ftyp, moov(unmeasured, box('mvex', box('mehd', long([[4, 800n]])))), frames], 8],
  ]
  it.each(measured)('the length of a clip is found in a clip %s, however it arrives', (_, boxes, seconds) => {
    const clip = Buffer.concat(boxes)
    for (const chunkBytes of [clip.length, 1, 7, 64]) expect(lengthOf(clip, chunkBytes)).toBe(seconds)
  })

  const broken: [name: string, boxes: Buffer[]][] = [
    ['is empty', []],
    ['does not begin as an MP4 file', [movie, ftyp]],
    ['has no header', [ftyp, frames]],
    ['has a header outside its movie', [ftyp, box('mvhd', mvhd(100, 400)), frames]],
    ['ends in the middle of its header', [ftyp, movie.subarray(0, 30)]],
    ['has a header that is too small', [ftyp, moov(box('mvhd', mvhd(100, 400).subarray(0, 16)))]],
    ['has an empty header', [ftyp, moov(box('mvhd')), movie]],
    ['has no time scale', [ftyp, moov(box('mvhd', mvhd(0, 400)))]],
    ['calls its length unknown', [ftyp, moov(box('mvhd', mvhd(100, 0xffff_ffff)))]],
    ['calls its length unknown in 64 bits', [ftyp, moov(box('mvhd', mvhdLong(100n, 2n ** 64n - 1n)))]],
    ['says that it has no length', [ftyp, moov(unmeasured), frames]],
    ['has a box smaller than its own header', [ftyp, header(7, 'free'), movie]],
    ['has a 64-bit box smaller than its own header', [ftyp, largeMdat(15n), movie]],
    ['has a box that never ends', [ftyp, header(0, 'mdat'), movie]],
    ['has a box that is larger than the file', [ftyp, largeMdat(2n ** 64n - 1n), movie]],
    ['has more boxes than any clip needs', [ftyp, ...Array.from({ length: 1000 }, () => box('free')), movie]],
  ]
  it.each(broken)('the length of a clip is not known of a clip that %s', (_, boxes) => {
    const clip = Buffer.concat(boxes)
    for (const chunkBytes of [clip.length || 1, 1, 7]) expect(lengthOf(clip, chunkBytes)).toBeNull()
  })

  it('the length of a clip may fall short of the seconds paid for by a tenth, and by no more', () => {
    expect([2, 1.8, 9, 1.79, 0].map((seconds) => isShort(seconds, 2))).toEqual([false, false, false, true, true])
    expect([7.2, 7.19].map((seconds) => isShort(seconds, 8))).toEqual([false, true])
    expect(isShort(null, 2)).toBe(true)
  })

  it.each(clipSizes)(
    'the length of a clip is the one paid for in each clip of the local provider, in %s',
    async (size) => {
      for (const seconds of clipSeconds) {
        const clip = await localClip('a boat', seconds, size)
        expect(lengthOf(clip, 1000)).toBe(seconds)
        expect(sizeOf(clip)).toBe(size)
      }
    },
  )

  it('the length of a clip is the same for every prompt, although the bytes differ', async () => {
    const [one, other] = [await localClip('a boat', 2, '480x270'), await localClip('a bird', 2, '480x270')]
    expect(one.equals(other)).toBe(false)
    expect(lengthOf(one)).toBe(lengthOf(other))
  })
})
