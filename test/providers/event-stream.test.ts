import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EventStreamParser,
  maxEventBytes,
  type ServerEvent,
  StreamBreach,
} from '../../src/providers/models/event-stream.ts'
import { openAiProtocol } from '../../src/providers/models/openai.ts'

/** What was read before the stream broke its rules, if it did. */
function read(pieces: readonly Buffer[]) {
  const parser = new EventStreamParser()
  const events: ServerEvent[] = []
  try {
    for (const piece of pieces) parser.parse(piece, (event) => events.push(event) > 0)
  } catch (error) {
    if (!(error instanceof StreamBreach)) throw error
    return { events, breach: error.message }
  }
  return { events, breach: null }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

const places = fc.array(fc.nat(), { maxLength: 12 })

describe('server-sent events', () => {
  const line = fc.oneof(
    fc.constantFrom('', '', ':', 'event: x', 'data', 'data:', '\uFEFFdata: a'),
    fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  )
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 })

  test('events are the same however their bytes are split', () => {
    fc.assert(
      fc.property(lines, places, (some, at) => {
        const bytes = Buffer.from(some.flat().join(''))
        expect(read(cut(bytes, at))).toEqual(read([bytes]))
      }),
    )
  })

  test('lines end with CR, LF or CRLF, and data of several lines is joined', () => {
    const text = '\uFEFFevent: a\rdata: 1\r\ndata:2\n\n: alive\n\ndata: 3\r\r'
    const { events } = read(
      cut(
        Buffer.from(text),
        Array.from(text, (_, index) => index),
      ),
    )
    expect(events).toEqual([
      { name: 'a', data: '1\n2' },
      { name: '', data: '3' },
    ])
  })

  test.each([[[]], [[3]], [[9, 14]]])('events before bytes that are not UTF-8 count, split at %j', (at) => {
    const bytes = Buffer.concat([Buffer.from('data: é\n\ndata: '), Buffer.from([0xc3, 0x28]), Buffer.from('\n\n')])
    expect(read(cut(bytes, at))).toEqual({ events: [{ name: '', data: 'é' }], breach: 'not UTF-8' })
  })

  test('a replacement character that was sent is not taken for broken bytes', () => {
    expect(read([Buffer.from('data: \uFFFD\n\n')])).toEqual({ events: [{ name: '', data: '\uFFFD' }], breach: null })
  })

  test.each(['data: ', 'data: x\ndata: ', ': '])('an event may have 256 KiB and no more: %j', (start) => {
    const ended = start.split('\n').slice(0, -1).join('').length
    const fits = start + 'x'.repeat(maxEventBytes - ended - start.length + start.lastIndexOf('\n') + 1)
    for (const end of ['', '\n\n']) {
      expect(read([Buffer.from(fits + end)]).breach).toBeNull()
      expect(read([Buffer.from(`${fits}x${end}`)]).breach).toBe('an event is too long')
    }
  })
})

describe('parts of a stream', () => {
  const text = fc.oneof(
    fc.constantFrom('chunk', ':', '', 'content', '"', '\\', '\n', 'probe'),
    fc.string({ unit: 'grapheme' }),
  )
  const delta = fc.oneof(
    text.map((content) => ({ content })),
    text.map((content) => ({ role: 'assistant', content })),
    fc.constantFrom({}, { content: null }, { tool_calls: [{ index: 0, id: 'chunk' }] }),
  )
  const other = fc.record({
    id: fc.constantFrom('chunk', 'probe'),
    choices: fc
      .record({ index: fc.nat(1), delta, finish_reason: fc.constantFrom(null, 'stop') })
      .map((choice) => [choice]),
    system_fingerprint: fc.constantFrom(undefined, 'f'),
    usage: fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 1 }),
  })
  const usual = text.map((content) => ({
    id: 'chunk',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }))
  const part = fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: other })

  test('a part is read alike, whatever came before it', () => {
    const alone = (data: string) => openAiProtocol.reader().read({ name: '', data }, false)
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const reader = openAiProtocol.reader()
        for (const data of parts.map((one) => JSON.stringify(one)))
          expect(reader.read({ name: '', data }, false)).toEqual(alone(data))
      }),
    )
  })

  test.each(['probe', 'word', '.'])('a text that is also an id is not taken for the id: %j', (word) => {
    const { read } = openAiProtocol.reader()
    for (const id of [word, 'another'])
      expect(
        read({ name: '', data: JSON.stringify({ id, choices: [{ index: 0, delta: { content: word } }] }) }, false),
      ).toMatchObject({ delta: { content: word } })
  })
})
