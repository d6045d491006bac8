import { describe, expect, test } from 'vitest'
import { lengthOf, passwordFault, strengthOf } from '../../../console/src/format/contact.ts'

describe('the password rule of the console', () => {
  test('characters are counted as the gateway counts them', () => {
    expect(lengthOf('密码𠮷🙂')).toBe(4)
    expect(passwordFault('🙂'.repeat(11))).toBe('passwordShort')
    expect(passwordFault('🙂'.repeat(12))).toBeNull()
    expect(passwordFault('a'.repeat(128))).toBeNull()
    expect(passwordFault('a'.repeat(129))).toBe('passwordLong')
  })

  test('what is easy to guess counts as weak, however long', () => {
    for (const password of ['aaaaaaaaaaaaaaaa', '123456789012345', 'abcdefghijklmnop', '111111222222']) {
      expect([password, strengthOf(password)]).toEqual([password, 'weak'])
    }
  })

  test('a part that a guesser knows makes it weaker', () => {
    expect(strengthOf('li.wang moonlight')).toBe('good')
    expect(strengthOf('li.wang moonlight', ['li.wang'])).toBe('fair')
  })

  test('a sentence is strong', () => {
    expect(strengthOf('correct horse battery staple')).toBe('strong')
    expect(strengthOf('床前明月光，疑是地上霜，举头望明月')).toBe('strong')
  })
})
