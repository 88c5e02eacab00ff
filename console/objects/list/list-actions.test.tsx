import { accepted } from '../../../tests/support/accepted-user.ts';
