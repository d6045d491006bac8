import { afterEach, expect, test, vi } from 'vitest'
import { ahead, warmWhenIdle } from '../../../console/src/design/load-ahead.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** What is loaded while the browser is idle and a link is pointed at. */
function loadedAhead(connection: object | undefined): string[] {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', undefined)
  vi.stubGlobal('navigator', { connection })
  const loaded: string[] = []
  const page = (name: string) => ({ warm: () => void loaded.push(name) })
  warmWhenIdle([page('first'), page('second')], () => false)
  ahead(page('pointed at').warm)
  vi.advanceTimersByTime(10_000)
  return loaded
}

test('pages are loaded ahead of time', () => {
  expect(loadedAhead({ saveData: false })).toEqual(['pointed at', 'first', 'second'])
  expect(loadedAhead(undefined)).toHaveLength(3)
})

test('nothing is loaded ahead of time while the browser saves data', () => {
  expect(loadedAhead({ saveData: true })).toEqual([])
})
