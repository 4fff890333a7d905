import type { Output } from '../../call/types.ts';

export type RegistrationPage = NonNullable<Output<'get_registration_page'>['registration_page']>;
