import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'

export interface Load {
  readonly firstPaintMs: number
  /** Until the heading stands and nothing is loading any more. */
  readonly readyMs: number
  /** How much the page shifts under the reader's eyes. */
  readonly layoutShift: number
  /** Time after the first paint in which the page would not have reacted, beyond 50 ms of each task. */
  readonly blockedMs: number
  /** As compressed, with headers: of everything that was asked for until the page was ready. */
  readonly bytes: number
  readonly requests: number
}

/** The values that Lighthouse applies for a slow 4G network and a middling phone. */
export const throttling = { latencyMs: 562.5, downKbps: 1474.56, upKbps: 675, cpuSlowdown: 4 } as const

const mostMs = 60_000
/** Longer than any open request takes: what it would change has changed by then. */
const calmMs = 1500

/** Opens a page for the first time, slowed down, and waits until it has come to rest. */
export async function measureLoad(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await slowDown(session)
  const transfers = followTransfers(session)
  await page.addInitScript(observe)
  // Not until the network is idle: when a page is ready, the console loads all others.
  await page.goto(url, { timeout: mostMs, waitUntil: 'commit' })
  const seen = await settled(page)
  // What comes as HTML stands before it is painted.
  const readyMs = Math.max(seen.readyMs, seen.firstPaintMs)
  const counted = transfers().filter(({ atMs }) => atMs <= readyMs)
  return {
    firstPaintMs: seen.firstPaintMs,
    readyMs,
    layoutShift: seen.layoutShift,
    blockedMs: seen.tasks
      .filter(({ startMs }) => startMs >= seen.firstPaintMs)
      .reduce((sum, { durationMs }) => sum + durationMs - 50, 0),
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: counted.length,
  }
}

/** Asked from outside, because the policy of the pages forbids what the browser driver would do to wait inside. */
async function settled(page: Page): Promise<Observed> {
  for (const deadline = Date.now() + mostMs; Date.now() < deadline; await setTimeout(250)) {
    const seen = (await page.evaluate('({ ...observed, nowMs: performance.now() })')) as Observed
    if (seen.readyMs !== null && seen.firstPaintMs !== null && seen.nowMs > seen.readyMs + calmMs) return seen
  }
  throw new Error(`${page.url()} did not become ready`)
}

async function slowDown(session: CDPSession): Promise<void> {
  const { latencyMs, downKbps, upKbps, cpuSlowdown } = throttling
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: (downKbps * 1000) / 8,
    uploadThroughput: (upKbps * 1000) / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}

/** What was asked for, when, counted from the first request, and how many bytes came. */
function followTransfers(session: CDPSession) {
  const rows = new Map<string, { atMs: number; bytes: number }>()
  let start: number | undefined
  session.on('Network.requestWillBeSent', ({ requestId, timestamp, request }) => {
    if (!request.url.startsWith('http')) return
    start ??= timestamp
    rows.set(requestId, { atMs: (timestamp - start) * 1000, bytes: 0 })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const row = rows.get(requestId)
    if (row) row.bytes = encodedDataLength
  })
  return () => [...rows.values()]
}

interface Observed {
  readonly nowMs: number
  readonly firstPaintMs: number
  readonly readyMs: number
  readonly layoutShift: number
  readonly tasks: readonly { readonly startMs: number; readonly durationMs: number }[]
}

/** Runs in the page, before anything of it. */
const observe = `
  globalThis.observed = { firstPaintMs: null, readyMs: null, layoutShift: 0, tasks: [] }
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') observed.firstPaintMs = startTime
  })
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) observed.layoutShift += value
  })
  watch('longtask', ({ startTime, duration }) => observed.tasks.push({ startMs: startTime, durationMs: duration }))
  // A page can look ready and then begin to load: what counts is the last time that it became ready.
  const look = () => {
    const isReady = document.querySelector('main h1') && !document.querySelector('[aria-busy=true], [role=status][aria-label]')
    if (!isReady) observed.readyMs = null
    else observed.readyMs ??= performance.now()
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`
