import { describe, expect, test } from 'vitest'
import { checkOperatorPages } from '../../../testkit/browser/check-operator-pages.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { accountingPages } from '../../../testkit/browser/registered-pages.ts'

describe.runIf(runsBrowser)(
  'the pages of operators from the audit log on have no violations and fit every screen',
  () => {
    const pages = checkOperatorPages(accountingPages)

    test('the sign-in of a new operator, and the sign-in page', async () => {
      const { operator } = pages()
      const { page, words, button, dialog, goTo, submit, isSound, signOut, faults } = operator
      await operator.open('/')
      await goTo('operators')
      await button(words.operators.add).click()
      await submit({ name: 'vera', reason: 'joined the team' }, words.operators.submit)
      await page.getByRole('heading', { name: words.operators.newTitle.replace('{{name}}', 'vera') }).waitFor()
      await isSound()
      await operator.passOn('vera')
      await dialog.waitFor({ state: 'detached' })
      await signOut()
      await isSound()
      expect(faults).toEqual([])
    })
  },
)
