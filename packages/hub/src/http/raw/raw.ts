// Commands that answer by themselves: streams, downloads, uploads, cookies.
import type { RawHandlers, Table } from '@quayside/protocol/schemas'
import type { Request, Response } from 'express'

export type Exchange = { readonly request: Request; readonly response: Response }
export type Raw = RawHandlers<Table, Exchange>
