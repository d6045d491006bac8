import { Button } from '@mantine/core'
import i18next from 'i18next'
import { Component, type ReactNode } from 'react'
import { Notice } from '../design/notice.tsx'
import styles from './opening.module.css'

/** Stands in for a page that failed, for instance because a part of it could not be loaded. */
export class Crash extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div className={styles.opening}>
        <Notice
          tone="bad"
          isNews
          title={i18next.t('trouble.title')}
          actions={<Button onClick={() => location.reload()}>{i18next.t('trouble.reload')}</Button>}
        >
          {i18next.t('trouble.crashed')}
        </Notice>
      </div>
    )
  }
}
