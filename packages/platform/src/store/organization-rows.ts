import type { Bit } from "./invocation-row.ts";

export interface OrganizationRow {
  id: string;
  name: string;
  created_at: number;
}

export interface UserRow {
  id: string;
  org_id: string;
  name: string;
  created_at: number;
}

export interface RoleRow {
  id: string;
  org_id: string;
  name: string;
  /** JSON: `Resource:Action`, `Resource:Action@SCOPE` for some tools, or `*` for all. */
  permissions: string;
  created_at: number;
}

export interface ApiKeyRow {
  id: string;
  key_id: string;
  org_id: string;
  user_id: string;
  role_id: string;
  creator_user_id: string;
  name: string | null;
  /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
  hash: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
  /** JSON: what the key narrows its role to, in the form of a role's permissions; null if it doesn't. */
  permissions: string | null;
}

export interface UserVariableRow {
  org_id: string;
  user_id: string;
  name: string;
  is_secret: Bit;
  /** Sealed. */
  value: string;
  updated_at: number;
}
