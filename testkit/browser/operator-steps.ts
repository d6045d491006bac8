import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import type { OperatorWords } from '../../console/src/i18n/messages.ts'
import { type EngineName, isFullMatrix } from '../store/engines.ts'
import { type AxeOptions, axeFindings } from './axe.ts'
import { fitsScreen } from './check-page.ts'
import type { ConsoleGateway } from './console-gateway.ts'
import { type Language, operatorTexts, type Visit, type VisitOptions, visitConsole } from './console-visit.ts'
import { type Look, type LookName, look, otherLook } from './looks.ts'
import { tick } from './tick.ts'

export type OperatorSteps = Awaited<ReturnType<typeof visitOperatorConsole>>

export interface OperatorRun {
  readonly engine: EngineName
  readonly acting: Look
  /** In the language and at the width that no other step uses, and dark. */
  readonly reading: VisitOptions
}

/** The suite acts on PostgreSQL, because the tests of the API run on SQLite. The full matrix acts on both, each with another look. */
export function operatorRuns(inSuite: LookName): OperatorRun[] {
  const [suite, other] = [look(inSuite), otherLook(inSuite)]
  const run = (engine: EngineName, acting: Look, reading: Look): OperatorRun => ({
    engine,
    acting,
    reading: { ...reading, colorScheme: 'dark' },
  })
  return [run('postgres', suite, other), ...(isFullMatrix ? [run('sqlite', other, suite)] : [])]
}

type Titled = { [Page in keyof OperatorWords]: OperatorWords[Page] extends { title: string } ? Page : never }
/** Its words have the name in its path, except for the comparisons, which share those of payments. */
type MenuPage = Titled[keyof OperatorWords] | 'comparisons'

export const chosenPassword = 'a long sentence of an operator'

/** Opens the operator's console, and does there what an operator does, in whichever language it speaks. */
export async function visitOperatorConsole(browser: Browser, gateway: ConsoleGateway, options: VisitOptions = {}) {
  const visit: Visit = await visitConsole(browser, gateway.operatorOrigin, options)
  const { page, text } = visit
  const words = operatorTexts[(options.language ?? 'en-US') as Language]
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

  return {
    ...visit,
    words,
    button,
    dialog,
    heading,

    /** With the link that the start prints. */
    async signInWithLink(): Promise<void> {
      await page.goto(gateway.newSignInLink())
      await heading(words.overview.title).waitFor()
    },

    async signIn(name: string, password: string, totp?: string): Promise<void> {
      if (!page.url().endsWith('/sign-in')) await page.goto(`${gateway.operatorOrigin}/sign-in`)
      await page.getByLabel(words.signIn.name).fill(name)
      await page.getByLabel(words.signIn.password, { exact: true }).fill(password)
      if (totp) await page.getByLabel(words.signIn.totp).fill(totp)
      await button(words.signIn.submit).click()
    },

    async replaceFirstPassword(first: string, nextTitle: string = words.overview.title): Promise<void> {
      await heading(words.firstPassword.title).waitFor()
      await page.getByLabel(words.firstPassword.current).fill(first)
      await page.getByLabel(words.signIn.newPassword, { exact: true }).fill(chosenPassword)
      await button(words.firstPassword.submit).click()
      await heading(nextTitle).waitFor()
    },

    /** Uses the menu, which is closed on a narrow screen. */
    async goTo(name: MenuPage) {
      const menu = button(text.nav.menu)
      if (await menu.isVisible()) await menu.click()
      const { title } = name === 'comparisons' ? words.payments.comparisons : words[name]
      await page
        .getByRole('navigation')
        .getByRole('link', { name: new RegExp(`^${title}`) })
        .click()
      await heading(title).waitFor()
    },

    async signOut(): Promise<void> {
      const menu = button(text.nav.menu)
      if (await menu.isVisible()) await menu.click()
      await button(words.nav.signOut).click()
      await heading(words.signIn.title).waitFor()
    },

    /** The sign-in of an operator who was just added or reset, which is shown once. */
    async passOn(name: string): Promise<{ password: string }> {
      await page.getByRole('heading', { name: words.operators.newTitle.replace('{{name}}', name) }).waitFor()
      const password = (await dialog.locator('code').first().textContent())!
      await tick(dialog.getByLabel(words.secret.saved))
      await button(words.secret.done).click()
      await dialog.waitFor({ state: 'detached' })
      return { password }
    },

    /** Fills the open dialog and sends it. */
    async submit(fields: Record<string, string>, label: string): Promise<void> {
      for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name=${name}]`).fill(value)
      await dialog.getByRole('button', { name: label, exact: true }).click()
    },

    /** Waits until the page says what was done and the dialog is gone. */
    async untilStatus(news: string | RegExp): Promise<void> {
      await page.getByRole('status').filter({ hasText: news }).first().waitFor()
      await dialog.waitFor({ state: 'detached' })
    },

    /** Everything of the page is loaded, axe finds nothing, and it fits every screen. */
    async isSound(options: AxeOptions = {}): Promise<void> {
      await page.getByLabel(text.common.loading).first().waitFor({ state: 'detached' })
      // A button that waits for its response covers its label, and uncovers it slowly.
      await page.locator('[data-loading]').first().waitFor({ state: 'detached' })
      await page.evaluate(transitionsEnd)
      expect(await axeFindings(page, options)).toEqual([])
      await fitsScreen(page)
    },
  }
}

const transitionsEnd = `(async () => {
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
})()`
