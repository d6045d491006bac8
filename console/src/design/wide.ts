import styles from './wide.module.css'

/** The class of a page that uses more width than text would want. */
export const wide = styles.wide!
