import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errors } from '../../src/contract/errors.ts'
import { RawConnection, sendRaw } from '../../testkit/http/raw-http.ts'
import { type Fault, faults, oddities } from './fault-table.ts'
import { codeOf, type Fixture, flawOf, goodGet, goodPost, startFixture } from './fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.server.close())
beforeEach(() => fixture.runs.clear())

const runs = () => [...fixture.runs.values()].reduce((sum, count) => sum + count, 0)

describe.each(faults)('$name', (fault) => {
  test('a bad request is refused and closes a fresh connection', async () => {
    const responses = await sendRaw(fixture, fault.bytes)
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0]!, fault)
    expect(runs()).toBe(0)
  })

  test('a bad request is refused on a connection that served a request before', async () => {
    const connection = await RawConnection.open(fixture)
    expect((await connection.send(goodPost).next())?.status).toBe(200)
    const responses = await connection.send(fault.bytes).rest()
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0]!, fault)
    expect(runs()).toBe(1)
  })

  test('a bad request behind a valid one in the same packet lets that one finish first', async () => {
    const [first, ...others] = await sendRaw(fixture, goodPost + fault.bytes)
    expect(first?.status).toBe(200)
    expect(flawOf(first!)).toBeNull()
    if (fault.byParser) {
      expect(first?.headers.get('connection')).toBe('close')
      expect(others).toHaveLength(0)
    } else {
      expect(others).toHaveLength(1)
      expectRefusal(others[0]!, fault)
    }
    expect(runs()).toBe(1)
  })

  test('a bad request keeps a valid request behind it from running', async () => {
    const responses = await sendRaw(fixture, fault.bytes + goodGet + goodPost)
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0]!, fault)
    expect(runs()).toBe(0)
  })

  test('a bad request is refused with the same code when the bytes after its head arrive one by one', async () => {
    const connection = await RawConnection.open(fixture)
    // Node's parser judges a packet at a time, so the head stays in one packet.
    const cut = fault.bytes.indexOf('\r\n\r\n') + 4
    connection.send(fault.bytes.slice(0, cut))
    for (const byte of fault.bytes.slice(cut, cut + 64)) connection.send(byte)
    const responses = await connection.rest()
    expect(responses).toHaveLength(1)
    expectRefusal(responses[0]!, fault)
  })
})

function expectRefusal(response: Awaited<ReturnType<typeof sendRaw>>[number], { code }: Fault): void {
  expect(codeOf(response)).toBe(code)
  expect(response.status).toBe(errors[code].status)
  expect(flawOf(response)).toBeNull()
  expect(response.headers.get('connection')).toBe('close')
  expect(response.headers.has('allow')).toBe(code === 'METHOD_NOT_ALLOWED')
}

describe.each(Object.entries(oddities))('%s', (_name, bytes) => {
  test('a good request is served, alone and between other requests', async () => {
    const connection = await RawConnection.open(fixture)
    expect((await connection.send(bytes).next())?.status).toBe(200)
    connection.send(goodPost + bytes + goodGet)
    for (let i = 0; i < 3; i++) expect((await connection.next())?.status).toBe(200)
    expect(runs()).toBe(4)
    connection.destroy()
  })
})
