import { expect, test } from 'vitest'
import { verificationCodeOf } from '../../../console/src/format/contact.ts'

test.each([
  ['493027', '493027'],
  [' 493 027 ', '493027'],
  ['493-027', '493027'],
  ['493–027', '493027'],
  ['4 9 3 0 2 7', '493027'],
  ['４９３０２７', '493027'],
  ['找回密码验证码：493027，请勿告知他人。', '493027'],
  ['Valid for 5 minutes. Your code is 493027.', '493027'],
  ['On 2026-11-16 at 09:30\nyour code: 493027', '493027'],
  ['order 20261116\n493 027', '493027'],
  ['12', '12'],
  ['4930271', '493027'],
  ['no digits', ''],
])('the code in %j is %j', (text, code) => expect(verificationCodeOf(text, 6)).toBe(code))

test.each([
  ['49302718', '49302718'],
  ['4930-2718', '49302718'],
  ['找回密码验证码：49302718，请勿告知他人。', '49302718'],
  ['On 2026-11-16 at 09:30\nyour code: 49302718', '49302718'],
  ['order 493027\n4930 2718', '49302718'],
  ['493027', '493027'],
  ['493027189', '49302718'],
])('the code of a recovery in %j is %j', (text, code) => expect(verificationCodeOf(text, 8)).toBe(code))
