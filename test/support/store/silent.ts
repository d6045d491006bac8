import type { Logger } from '../../../src/storage/logger.ts'

export const silent: Logger = { info() {}, warn() {}, error() {} }
