import { invisibleCharacters } from '../../../src/contract/choices.ts'

const invisible = new RegExp(`[${invisibleCharacters}\\uD800-\\uDFFF]`, 'u')

/** Such as a control character that was pasted with a name: refused, and not to be seen. */
export const hasInvisible = (name: string): boolean => invisible.test(name)
