import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { en } from '../../console/src/i18n/en/en.ts'
import type { OperatorWords, PageWords, Translated } from '../../console/src/i18n/messages.ts'
import { zh } from '../../console/src/i18n/zh/zh.ts'
import { errorWords } from '../../console/src/operator/error-words.ts'
import { access } from '../../console/src/operator/pages/access/words.ts'
import { shell } from '../../console/src/operator/words.ts'
import { newPage, takePage } from './page-pool.ts'

/** The words of all pages that have their own. */
async function pageWords<Words>(language: 'en' | 'zh', directory = '../../console/src/pages'): Promise<Words> {
  const cwd = join(import.meta.dirname, directory)
  const files = globSync('*/words.ts', { cwd })
  const sections = await Promise.all(files.map((file) => import(join(cwd, file))))
  const entries = sections.flatMap((module) => Object.entries<Record<'en' | 'zh', object>>(module))
  return Object.fromEntries(entries.map(([section, words]) => [section, words[language]])) as Words
}

export const texts = {
  'en-US': { ...en, ...(await pageWords<PageWords>('en')) },
  'zh-CN': { ...zh, ...(await pageWords<Translated<PageWords>>('zh')) },
}
export type Language = keyof typeof texts

const operatorPages = '../../console/src/operator/pages'
/** Those of the operator's console. */
export const operatorTexts = {
  'en-US': {
    ...(await pageWords<OperatorWords>('en', operatorPages)),
    ...{ ...shell.en, ...access.en, errors: errorWords.en },
  },
  'zh-CN': {
    ...(await pageWords<Translated<OperatorWords>>('zh', operatorPages)),
    ...{ ...shell.zh, ...access.zh, errors: errorWords.zh },
  },
}

export interface VisitOptions {
  readonly language?: Language
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Another tab of the same browser. */
  readonly context?: BrowserContext
  /** Whether the page is a new one: for tests that need a cold cache, or leave in it what cannot be undone. */
  readonly isolated?: boolean
}

export interface Visit {
  readonly origin: string
  readonly page: Page
  readonly context: BrowserContext
  readonly text: (typeof texts)[Language]
  /** What must never happen: errors, violations of the policy, requests to other hosts. */
  readonly faults: string[]
  /** Responses that the browser logs as failures, such as `401 /v1/me`. */
  readonly refusals: string[]
  /** Loads the console at this path. */
  readonly open: (path: string) => Promise<void>
  /** Goes there inside the console that is loaded, as its links do: several times as fast. */
  readonly go: (path: string) => Promise<void>
  /** Shows a page of the console anew, with nothing of its earlier state, and loads the console only the first time. */
  readonly enter: (path: string) => Promise<void>
}

/** Opens the console as a person would, and records everything that goes wrong in the background. */
export async function visitConsole(browser: Browser, origin: string, options: VisitOptions = {}): Promise<Visit> {
  const page = options.context ? await newPage(options.context) : await takePage(browser, origin, options)
  const faults: string[] = []
  const refusals: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('blob:'))
      faults.push(`left: ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(message.text())?.[1]
    if (status) refusals.push(`${status} ${new URL(message.location().url).pathname}`)
    else faults.push(`console: ${message.text()}`)
  })
  const open = async (path: string) => {
    await page.goto(`${origin}${path}`)
    await page.locator('h1').first().waitFor()
  }
  const go = async (path: string) => {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await page.locator('h1').first().waitFor()
  }
  const text = texts[options.language ?? 'en-US']
  return {
    origin,
    page,
    context: page.context(),
    text,
    faults,
    refusals,
    open,
    go,
    enter: async (path) => {
      if (!page.url().startsWith(`${origin}/console`)) return open(path)
      await go('/console/no-such-page')
      await page.getByRole('heading', { name: text.common.notFound }).waitFor()
      await go(path)
    },
  }
}
