import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { Brand } from '../brand.tsx'
import { IconButton } from '../button.tsx'
import { Connection } from '../connection.tsx'
import { Icons } from '../icons.tsx'
import { Preferences } from '../preferences.tsx'
import styles from './frame.module.css'

interface FrameProps {
  /** Always in sight, also where the menu is closed. */
  readonly status: ReactNode
  readonly menu: ReactNode
  /** Beside the button of the menu. */
  readonly bell?: ReactNode
  readonly children: ReactNode
}

/** The frame around every page of a signed-in person: the way to each page, beside it or in a menu above it. */
export function Frame({ status, menu, bell, children }: FrameProps) {
  const { t } = useTranslation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes to a page is done with the menu.
  useEffect(() => setMenuOpen(false), [location])

  useEffect(() => {
    if (!isMenuOpen) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setMenuOpen(false)
      menuButton.current?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [isMenuOpen])

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t('nav.skip')}
      </a>
      <header className={`${styles.side} not-printed`} data-open={isMenuOpen || undefined}>
        <div className={styles.top}>
          <Link href="/" className={styles.brand}>
            <Brand />
          </Link>
          <div className={styles.buttons}>
            {bell}
            <IconButton
              ref={menuButton}
              className={styles.menu}
              aria-expanded={isMenuOpen}
              aria-controls="menu"
              aria-label={t(isMenuOpen ? 'nav.closeMenu' : 'nav.menu')}
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              {isMenuOpen ? <Icons.close /> : <Icons.menu />}
            </IconButton>
          </div>
        </div>
        {status}
        <div id="menu" className={styles.drawer}>
          {menu}
          <Preferences />
          <p className={styles.times}>{t('common.timesIn')}</p>
        </div>
      </header>
      <div className={styles.main}>
        <Connection />
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
