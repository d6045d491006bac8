import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createRequestLog, type FinishedRequest } from '../../src/http/request-log.ts'

const settled: FinishedRequest = {
  requestId: 'req_01',
  method: 'POST',
  route: '/v1/models/chat',
  operationId: 'model.chat',
  status: 200,
  code: null,
  durationMs: 1.234,
}
const refused: FinishedRequest = { ...settled, status: 402, code: 'INSUFFICIENT_PAID_CREDITS', durationMs: 0 }
// Not a real route, but the log line must still be one line of JSON.
const strange: FinishedRequest = { ...settled, route: '/"quoted"\n\\', method: '方法' }

function loggerInto(lines: string[], level: string) {
  const stream = { write: (line: string) => void lines.push(line) }
  return pino({ level, timestamp: () => ',"time":1' }, stream).child({ instance: 'one' })
}

test.each([settled, refused, strange])('a request is logged exactly as pino would log it', (request) => {
  const ours: string[] = []
  const theirs: string[] = []
  createRequestLog(loggerInto(ours, 'info'), () => {}).finished(request)
  loggerInto(theirs, 'info').info(request, 'request')
  expect(ours).toEqual(theirs)
  expect(JSON.parse(ours[0]!)).toMatchObject({ ...request, level: 30, time: 1, instance: 'one', msg: 'request' })
})

test('requests below the log level are not logged, but still observed', () => {
  const lines: string[] = []
  const observed: unknown[] = []
  createRequestLog(loggerInto(lines, 'warn'), (observation) => observed.push(observation)).finished(settled)
  expect(lines).toEqual([])
  expect(observed).toEqual([settled])
})

test('a failure is logged exactly as pino would log it', () => {
  const lines: string[] = []
  createRequestLog(loggerInto(lines, 'info'), () => {}).failed('req_02', new TypeError('no such field'))
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 50,
    requestId: 'req_02',
    error: { type: 'TypeError', message: 'no such field' },
    msg: 'request failed',
  })
})
