import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { VisitOptions } from './console-visit.ts'

/** Of pages that no test uses, by host and language. */
const idle = new Map<string, Page[]>()

const keyOf = (origin: string, language: string) => `${new URL(origin).hostname} ${language}`

/**
 * A page without cookies and storage, in a context of its own. It may have been used before and has its scripts compiled,
 * so that the console opens in a third of the time.
 */
export async function takePage(browser: Browser, origin: string, options: VisitOptions): Promise<Page> {
  const { language = 'en-US', width = 1280, colorScheme = 'light' } = options
  const used = options.isolated === false ? idle.get(keyOf(origin, language))?.pop() : undefined
  if (!used) {
    const page = await newPage(await newContext(browser, options))
    // The console loads all its pages when idle, which costs more than a whole test of one of them.
    if (options.isolated === false) await page.addInitScript('window.requestIdleCallback = () => 0')
    return page
  }
  await used.setViewportSize({ width, height })
  await used.emulateMedia({ colorScheme })
  return used
}

/** For the next test, without anything that this one left. The gateway must still respond. */
export async function returnPage(page: Page, { origin, language = 'en-US' }: VisitOptions & { origin: string }) {
  const context = page.context()
  try {
    for (const other of context.pages()) if (other !== page) await other.close()
    page.removeAllListeners()
    context.removeAllListeners()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await context.clearCookies()
    // Something of the same site that runs no script: the browser ends the process of a page that leaves its site.
    await page.goto(`${origin}/favicon.ico`, { timeout: 5000 })
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    page.removeAllListeners()
    const key = keyOf(origin, language)
    idle.set(key, [...(idle.get(key) ?? []), page])
  } catch {
    await context.close()
  }
}

const height = 900

function newContext(browser: Browser, options: VisitOptions): Promise<BrowserContext> {
  const { language = 'en-US', width = 1280, colorScheme = 'light' } = options
  return browser.newContext({
    locale: language,
    viewport: { width, height },
    colorScheme,
    // No screenshot in the middle of an animation.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
}

/**
 * Keys and tiles of the public log may be cached, and the next gateway at this origin has others: a browser that used them would
 * not verify its receipts.
 */
const readPublicLogAnew = `{
  const { fetch } = window
  window.fetch = (input, init) =>
    fetch(input, /^\\/(transparency|\\.well-known)\\//.test(input) ? { ...init, cache: 'reload' } : init)
}`

/** Another tab of the same browser. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await page.addInitScript(readPublicLogAnew)
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample))`)
  return page
}
