// The contract has it, because the console warns of the same passwords.
export { isCommonPassword } from '../contract/common-passwords.ts'
