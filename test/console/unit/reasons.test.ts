import { describe, expect, test } from 'vitest'
import { en } from '../../../console/src/i18n/en/en.ts'
import { zh } from '../../../console/src/i18n/zh/zh.ts'
import { errors } from '../../../src/contract/errors.ts'
import { reasons } from '../../../src/contract/reasons.ts'

describe.each(Object.entries({ en, zh }))('the console in %s', (_, messages) => {
  test('the console has words for every reason code', () => {
    for (const code of Object.keys(reasons))
      expect(messages.reasons).toHaveProperty([code], expect.stringMatching(/\S/))
  })

  test('the console has no words for a code that the gateway does not have', () => {
    expect(Object.keys(messages.reasons).sort()).toEqual(Object.keys(reasons).sort())
  })
})

test('a reason code is never an error code too', () => {
  for (const code of Object.keys(reasons)) expect(errors).not.toHaveProperty([code])
})
