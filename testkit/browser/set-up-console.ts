import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { SeededCharge } from '../store/seed-charges.ts'
import { sharedChromium } from './chromium.ts'
import { type ConsoleGateway, type ConsoleGatewayOptions, startConsoleGateway } from './console-gateway.ts'
import { type History, signUpWithHistory } from './console-history.ts'
import { type Person, type Steps, stepsOf } from './console-steps.ts'
import { type Visit, type VisitOptions, visitConsole } from './console-visit.ts'
import { type OperatorSteps, visitOperatorConsole } from './operator-steps.ts'
import { returnPage } from './page-pool.ts'

export type SiteVisit = Visit & { readonly steps: Steps }

/** The console of one gateway, which the tests of a `describe` share. */
export interface ConsoleSite {
  readonly gateway: ConsoleGateway
  readonly browser: Browser
  /** What a test opens is closed after it; what a `beforeAll` opens stays for all tests. */
  visit(options?: VisitOptions): Promise<SiteVisit>
  /** Somebody new, at the overview. */
  signedIn(options?: VisitOptions): Promise<SiteVisit & { readonly person: Person }>
  /** Somebody new who has credits, a key and these past calls, at no page yet. */
  withHistory(
    charges?: readonly SeededCharge[],
    options?: VisitOptions,
  ): Promise<SiteVisit & { readonly history: History }>
  /** The operator's console, at no page yet. */
  operator(options?: VisitOptions): Promise<OperatorSteps>
}

interface Opened {
  readonly visit: Visit
  readonly options: VisitOptions
}

/** Starts a gateway before the tests of the current `describe` and stops it after them. */
export function setUpConsole(gatewayOptions: ConsoleGatewayOptions = {}): ConsoleSite {
  let gateway: ConsoleGateway
  let browser: Browser
  let isTesting = false
  const openedByTest: Opened[] = []
  const openedByFile: Opened[] = []
  const close = (opened: Opened[], isReusable = true) =>
    Promise.all(
      opened
        .splice(0)
        .map(({ visit, options }) =>
          isReusable && !options.isolated
            ? returnPage(visit.page, { origin: visit.origin, ...options })
            : visit.context.close(),
        ),
    )

  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(gatewayOptions), sharedChromium()])
  })
  beforeEach(() => {
    isTesting = true
  })
  afterEach(async ({ task }) => {
    isTesting = false
    await close(openedByTest, task.result?.state === 'pass')
  })
  afterAll(async () => {
    await close(openedByFile)
    await gateway?.stop()
  })

  const closeLater = (visit: Visit, options: VisitOptions = {}) =>
    (isTesting ? openedByTest : openedByFile).push({ visit, options })

  async function visit(options: VisitOptions = {}): Promise<SiteVisit> {
    const visited = await visitConsole(browser, gateway.origin, { isolated: false, ...options })
    if (!options.context) closeLater(visited, options)
    return { ...visited, steps: stepsOf(visited, gateway.codeFor) }
  }

  return {
    get gateway() {
      return gateway
    },
    get browser() {
      return browser
    },
    visit,
    async signedIn(options) {
      const visited = await visit(options)
      return { ...visited, person: await visited.steps.arrive() }
    },
    async withHistory(charges, options) {
      const visited = await visit(options)
      return { ...visited, history: await signUpWithHistory(gateway, visited, visited.steps, charges) }
    },
    async operator(options) {
      const operator = await visitOperatorConsole(browser, gateway, { isolated: false, ...options })
      closeLater(operator, options)
      return operator
    },
  }
}
