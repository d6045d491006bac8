import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { SeededCharge } from '../store/seed-charges.ts'
import { sharedChromium } from './chromium.ts'
import { type ConsoleGateway, type ConsoleGatewayOptions, startConsoleGateway } from './console-gateway.ts'
import { type History, signUpWithHistory } from './console-history.ts'
import { type Person, type Steps, stepsOf } from './console-steps.ts'
import { type Visit, type VisitOptions, visitConsole } from './console-visit.ts'
import { type OperatorSteps, visitOperatorConsole } from './operator-steps.ts'

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

/** Starts a gateway before the tests of the current `describe` and stops it after them. */
export function setUpConsole(gatewayOptions: ConsoleGatewayOptions = {}): ConsoleSite {
  let gateway: ConsoleGateway
  let browser: Browser
  let isTesting = false
  const openedByTest: BrowserContext[] = []
  const openedByFile: BrowserContext[] = []
  const close = (contexts: BrowserContext[]) => Promise.all(contexts.splice(0).map((context) => context.close()))

  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startConsoleGateway(gatewayOptions), sharedChromium()])
  })
  beforeEach(() => {
    isTesting = true
  })
  afterEach(async () => {
    isTesting = false
    await close(openedByTest)
  })
  afterAll(async () => {
    await close(openedByFile)
    await gateway?.stop()
  })

  const closeLater = ({ context }: Visit) => (isTesting ? openedByTest : openedByFile).push(context)

  async function visit(options: VisitOptions = {}): Promise<SiteVisit> {
    const visited = await visitConsole(browser, gateway.origin, options)
    if (!options.context) closeLater(visited)
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
      const operator = await visitOperatorConsole(browser, gateway, options)
      closeLater(operator)
      return operator
    },
  }
}
